// What fontconfig is told of fonts, wherever they come from.
#pragma once

namespace sys {

// Slanted and bold faces that the fonts lack are made from the upright and regular ones, by the
// rules of fontconfig's own 90-synthetic.conf.
inline constexpr const char* kFontRules =
    R"(<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <match target="font">
    <edit name="hinting" mode="assign"><bool>false</bool></edit>
    <edit name="autohint" mode="assign"><bool>false</bool></edit>
  </match>
  <match target="font">
    <test name="slant"><const>roman</const></test>
    <test target="pattern" name="slant" compare="not_eq"><const>roman</const></test>
    <edit name="matrix" mode="assign"><times><name>matrix</name><matrix>
      <double>1</double><double>0.2</double><double>0</double><double>1</double>
    </matrix></times></edit>
    <edit name="slant" mode="assign"><const>oblique</const></edit>
  </match>
  <match target="font">
    <test name="weight" compare="less_eq"><const>medium</const></test>
    <test target="pattern" name="weight" compare="more_eq"><const>demibold</const></test>
    <edit name="embolden" mode="assign"><bool>true</bool></edit>
    <edit name="weight" mode="assign"><const>bold</const></edit>
  </match>
</fontconfig>)";

}  // namespace sys
