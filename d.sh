drag () 
{ 
    xdotool mousemove $1 $2;
    sleep .2;
    xdotool mousedown 1;
    for i in $(seq 1 10);
    do
        xdotool mousemove $(( $1+($3-$1)*i/10 )) $(( $2+($4-$2)*i/10 ));
        sleep .05;
    done;
    sleep .2;
    xdotool mouseup 1
}
