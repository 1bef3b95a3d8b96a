; The installer: for the person who runs it, with no administrator's rights.
Target amd64-unicode
SetCompressor /SOLID lzma
!include "MUI2.nsh"

!define KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\attnscope"
!define CLASSES "Software\Classes"

Name "attnscope ${VERSION}"
OutFile "${OUT}"
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\Programs\attnscope"
InstallDirRegKey HKCU "${KEY}" "InstallLocation"
ManifestDPIAware true

VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "attnscope"
VIAddVersionKey "FileDescription" "attnscope, an oscilloscope for attention"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "LegalCopyright" "MIT"

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_FINISHPAGE_RUN "$INSTDIR\attnscope.exe"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "SimpChinese"

; "Open with" for a kind of file; none becomes the one that a double click opens but sessions, which are the program's own.
!macro OpenWith ENDING
  WriteRegStr HKCU "${CLASSES}\${ENDING}\OpenWithProgids" "attnscope.file" ""
  WriteRegStr HKCU "${CLASSES}\Applications\attnscope.exe\SupportedTypes" "${ENDING}" ""
!macroend
!macro NoOpenWith ENDING
  DeleteRegValue HKCU "${CLASSES}\${ENDING}\OpenWithProgids" "attnscope.file"
  DeleteRegKey /ifempty HKCU "${CLASSES}\${ENDING}\OpenWithProgids"
  DeleteRegKey /ifempty HKCU "${CLASSES}\${ENDING}"
!macroend

Section
  ; Files of an older version that this one has no more go first.
  RMDir /r "$INSTDIR\docs"
  RMDir /r "$INSTDIR\licences"
  RMDir /r "$INSTDIR\share"
  SetOutPath "$INSTDIR"
  File /r "${FOLDER}/*"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\attnscope.lnk" "$INSTDIR\attnscope.exe"

  WriteRegStr HKCU "${CLASSES}\attnscope.file" "" "attnscope"
  WriteRegStr HKCU "${CLASSES}\attnscope.file\DefaultIcon" "" "$INSTDIR\attnscope.exe,0"
  WriteRegStr HKCU "${CLASSES}\attnscope.file\shell\open\command" "" '"$INSTDIR\attnscope.exe" "%1"'
  WriteRegStr HKCU "${CLASSES}\Applications\attnscope.exe\shell\open\command" "" '"$INSTDIR\attnscope.exe" "%1"'
  WriteRegStr HKCU "${CLASSES}\.attn" "" "attnscope.file"
  !insertmacro OpenWith ".attn"
  !insertmacro OpenWith ".npy"
  !insertmacro OpenWith ".npz"
  !insertmacro OpenWith ".safetensors"
  !insertmacro OpenWith ".md"

  WriteRegStr HKCU "${KEY}" "DisplayName" "attnscope"
  WriteRegStr HKCU "${KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${KEY}" "DisplayIcon" "$INSTDIR\attnscope.exe,0"
  WriteRegStr HKCU "${KEY}" "Publisher" "attnscope contributors"
  WriteRegStr HKCU "${KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${KEY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${KEY}" "NoRepair" 1
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
SectionEnd

; Only what was installed goes; sessions and settings of the person stay.
Section "Uninstall"
  Delete "$INSTDIR\attnscope.exe"
  Delete "$INSTDIR\README.txt"
  Delete "$INSTDIR\uninstall.exe"
  RMDir /r "$INSTDIR\docs"
  RMDir /r "$INSTDIR\licences"
  RMDir /r "$INSTDIR\share"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\attnscope.lnk"
  ; Fonts that the program wrote for itself.
  RMDir /r "$LOCALAPPDATA\attnscope\fonts"
  RMDir "$LOCALAPPDATA\attnscope"
  ReadRegStr $0 HKCU "${CLASSES}\.attn" ""
  StrCmp $0 "attnscope.file" 0 +2
  DeleteRegValue HKCU "${CLASSES}\.attn" ""
  !insertmacro NoOpenWith ".attn"
  !insertmacro NoOpenWith ".npy"
  !insertmacro NoOpenWith ".npz"
  !insertmacro NoOpenWith ".safetensors"
  !insertmacro NoOpenWith ".md"
  DeleteRegKey HKCU "${CLASSES}\Applications\attnscope.exe"
  DeleteRegKey /ifempty HKCU "${CLASSES}\Applications"
  DeleteRegKey HKCU "${CLASSES}\attnscope.file"
  DeleteRegKey HKCU "${KEY}"
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
SectionEnd
