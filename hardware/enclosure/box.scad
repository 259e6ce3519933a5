// A box with a floor, posts, openings, ears to screw it under the table, and a lid. Everything comes from
// hardware/boxes.py by -D; the values here are a small example so that the file opens by itself.
inner = [100, 60, 30];
wall = 2.5; floor_ = 3; post = 7; screw = 2.3; round_ = 4; lid = 2.5;
posts = [[10, 10, 6], [90, 50, 6]];                  // x, y, height
openings = [[0, 50, 12, 30, 10]];                    // wall 0 south 1 east 2 north 3 west, along, up, width, height
boards = [[[8, 8, 6], [80, 40, 1.6]]];               // shown, not printed
names = ["board"];                                   // of the boards, written on them in the picture
labels = false;                                      // names and measures, in the picture only
part = "both";                                       // box, lid, both
$fn = 40;

outer = [inner[0] + 2 * wall, inner[1] + 2 * wall, inner[2] + floor_];

module rounded(size, r) {
    linear_extrude(size[2]) offset(r) translate([r, r]) square([size[0] - 2 * r, size[1] - 2 * r]);
}

module opening(o) {
    along = o[1]; up = floor_ + o[2]; w = o[3]; h = o[4]; deep = 4 * wall;
    if (o[0] == 0) translate([wall + along - w / 2, -deep / 2, up - h / 2]) cube([w, deep, h]);
    if (o[0] == 2) translate([wall + along - w / 2, outer[1] - deep / 2, up - h / 2]) cube([w, deep, h]);
    if (o[0] == 3) translate([-deep / 2, wall + along - w / 2, up - h / 2]) cube([deep, w, h]);
    if (o[0] == 1) translate([outer[0] - deep / 2, wall + along - w / 2, up - h / 2]) cube([deep, w, h]);
}

module ear(x, y) {
    difference() {
        translate([x, y, 0]) hull() { cylinder(d = 14, h = 4); translate([0, y > 0 ? -8 : 8, 0]) cylinder(d = 14, h = 4); }
        translate([x, y, -1]) cylinder(d = 4.5, h = 6);
    }
}

module box() {
    difference() {
        union() {
            difference() {
                rounded(outer, round_);
                translate([wall, wall, floor_]) rounded([inner[0], inner[1], inner[2] + 1], round_ - 1);
            }
            for (p = posts) translate([wall + p[0], wall + p[1], floor_]) cylinder(d = post, h = p[2]);
            for (x = [wall + 3, outer[0] - wall - 3], y = [wall + 3, outer[1] - wall - 3])
                translate([x, y, floor_]) cylinder(d = 8, h = inner[2] - 1);
            for (x = [20, outer[0] - 20]) { ear(x, -7); ear(x, outer[1] + 7); }
        }
        for (p = posts) translate([wall + p[0], wall + p[1], 1]) cylinder(d = screw, h = p[2] + floor_);
        for (x = [wall + 3, outer[0] - wall - 3], y = [wall + 3, outer[1] - wall - 3])
            translate([x, y, floor_ + inner[2] - 12]) cylinder(d = screw, h = 13);
        for (o = openings) opening(o);
    }
}

module cover() {
    difference() {
        rounded([outer[0], outer[1], lid], round_);
        for (x = [wall + 3, outer[0] - wall - 3], y = [wall + 3, outer[1] - wall - 3])
            translate([x, y, -1]) cylinder(d = 3, h = lid + 2);
        for (n = [0 : 7]) translate([outer[0] / 2 - 35 + n * 10, outer[1] / 2 - 15, -1]) cube([3, 30, lid + 2]);
    }
}

module write(words, size) { color("black") linear_extrude(0.4) text(words, size, halign = "center", valign = "center"); }

module measure(length, words) {
    color("black") {
        translate([0, -0.4, 0]) cube([length, 0.8, 0.4]);
        for (x = [0, length]) translate([x - 0.4, -3, 0]) cube([0.8, 6, 0.4]);
    }
    translate([length / 2, -7, 0]) write(words, 7);
}

module labelled() {
    for (n = [0 : len(boards) - 1]) {
        b = boards[n];
        translate([wall + b[0][0] + b[1][0] / 2, wall + b[0][1] + b[1][1] / 2, floor_ + b[0][2] + b[1][2] + 0.5])
            write(names[n], 8);
    }
    translate([0, -26, 0]) measure(outer[0], str(outer[0], " mm"));
    translate([outer[0] + 16, 0, 0]) rotate([0, 0, 90]) measure(outer[1], str(outer[1], " mm"));
    translate([outer[0] + 48, outer[1] + 10, 0]) write(str("height ", outer[2], " mm"), 7);
}

if (part != "lid") {
    color("lightgrey") box();
    %for (b = boards) translate([wall + b[0][0], wall + b[0][1], floor_ + b[0][2]]) cube(b[1]);
}
if (part == "lid") cover();
if (part == "both") translate([0, outer[1] + 40, 0]) color("silver") cover();
if (labels) labelled();
